// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Ledger} from "./Ledger.sol";
import {ServiceToken} from "./ServiceToken.sol";

/// @title The way of Tokens into the ledger and out of it.
abstract contract Custody is Ledger, ReentrancyGuardTransient {
    struct Deposit {
        bytes32 account;
        address sender;
        uint64 amount;
    }

    /// @dev `waiting`: deposits that no operation has taken; `held`: withdrawals that the Token refused to pay.
    struct Outside {
        uint64 waiting;
        uint64 held;
        uint64 deposits;
        uint40 closedAt;
    }

    ServiceToken public immutable token;

    Outside internal _outside;
    mapping(uint256 ref => Deposit) internal _deposits;
    /// @notice Withdrawals that could not be paid, by receiver: see `claim`.
    mapping(address receiver => uint256 amount) public held;
    /// @notice What an address has put into an account by deposits that were taken.
    mapping(bytes32 account => mapping(address sender => uint256 amount)) public contributed;

    event Deposited(uint256 indexed ref, bytes32 indexed account, address indexed sender, uint256 amount);
    event DepositTaken(uint256 indexed ref, bytes32 indexed account, uint256 amount, uint256 seq);
    event Withdrawn(bytes32 indexed account, address indexed receiver, uint256 amount, uint256 seq);
    event WithdrawalHeld(bytes32 indexed account, address indexed receiver, uint256 amount, uint256 seq);
    event Claimed(address indexed receiver, uint256 amount);

    error VaultClosed();
    error ZeroAccount();
    error ZeroAmount();
    error NoReceiver(uint256 seq);
    error DepositNotWaiting(uint256 seq, uint256 ref);
    error WrongDeposit(uint256 seq, uint256 ref, bytes32 account, uint256 amount);
    error NothingHeld(address receiver);

    constructor(ServiceToken token_) {
        token = token_;
    }

    /// @notice Brings Tokens that were approved before. They wait until an operation of the stream takes them.
    /// @param account public key behind the DID that they are for
    /// @return ref number of the deposit
    function deposit(bytes32 account, uint64 amount) external nonReentrant returns (uint256 ref) {
        require(_outside.closedAt == 0, VaultClosed());
        require(account != 0, ZeroAccount());
        require(amount != 0, ZeroAmount());
        ref = ++_outside.deposits;
        _outside.waiting += amount;
        _deposits[ref] = Deposit(account, msg.sender, amount);
        emit Deposited(ref, account, msg.sender, amount);
        // Our own Token returns true or reverts.
        token.transferFrom(msg.sender, address(this), amount);
    }

    /// @notice Pays what could not be paid when its withdrawal came; anyone may ask for it.
    function claim(address receiver) external nonReentrant {
        uint256 amount = held[receiver];
        require(amount != 0 && receiver != address(this), NothingHeld(receiver));
        held[receiver] = 0;
        _outside.held -= uint64(amount);
        emit Claimed(receiver, amount);
        token.transfer(receiver, amount);
    }

    /// @return account zero: it was taken, returned, or never made
    function depositOf(uint256 ref) external view returns (bytes32 account, address sender, uint256 amount) {
        Deposit storage found = _deposits[ref];
        return (found.account, found.sender, found.amount);
    }

    function _mint(uint256 amount) internal override {
        token.mint(address(this), amount);
    }

    function _takeDeposit(uint256 seq, uint256 ref, bytes32 account, uint256 amount) internal override {
        Deposit memory found = _deposits[ref];
        require(found.amount != 0, DepositNotWaiting(seq, ref));
        require(
            found.account == account && found.amount == amount,
            WrongDeposit(seq, ref, found.account, found.amount)
        );
        delete _deposits[ref];
        _outside.waiting -= uint64(amount);
        contributed[account][found.sender] += amount;
        emit DepositTaken(ref, account, amount, seq);
    }

    /// @dev A receiver that can't be paid must not stop the stream: its Tokens are held for it.
    function _payOut(uint256 seq, bytes32 account, address receiver, uint256 amount) internal override {
        require(receiver != address(0), NoReceiver(seq));
        if (receiver != address(this)) {
            try token.transfer(receiver, amount) {
                emit Withdrawn(account, receiver, amount, seq);
                return;
            } catch {}
        }
        held[receiver] += amount;
        _outside.held += uint64(amount);
        emit WithdrawalHeld(account, receiver, amount, seq);
    }
}
